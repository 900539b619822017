import type { SVGProps } from 'react';

/*
 * The icons of signed-out screens. They are apart from the others, so that those screens load no
 * more.
 */

export type IconProps = SVGProps<SVGSVGElement>;

/** A kit icon on a 20-unit grid in the text color. Icons are decoration, never the only label. */
export const Svg = ({ d, ...props }: IconProps) => (
  <svg
    width="1.25rem"
    height="1.25rem"
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    {...props}
  >
    <path d={d} />
  </svg>
);

export const ChevronRightIcon = (props: IconProps) => <Svg d="M8 5.5 12.5 10 8 14.5" {...props} />;
export const InfoIcon = (props: IconProps) => (
  <Svg d="M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 9.2v4.3M10 6.4h.01" {...props} />
);
export const WarningIcon = (props: IconProps) => (
  <Svg d="M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM10 6v4.8M10 13.6h.01" {...props} />
);
export const CheckCircleIcon = (props: IconProps) => (
  <Svg d="M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15ZM6.8 10.3l2.2 2.2 4.2-4.7" {...props} />
);
