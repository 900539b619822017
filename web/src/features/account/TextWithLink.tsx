import { Link } from '@tanstack/react-router';

interface Props {
  text: string;
  /** The part of the text that becomes the link. */
  link: string;
  to: string;
}

/** A sentence with a link in it. */
export function TextWithLink({ text, link, to }: Props) {
  const [before, after] = text.split(link);
  return (
    <>
      {before}
      <Link to={to}>{link}</Link>
      {after}
    </>
  );
}
