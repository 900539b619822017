import { Link } from '@tanstack/react-router';

interface Props {
  text: string;
  /** The words of the text that lead there. */
  link: string;
  to: string;
}

/** A sentence in which some words are a link. */
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
