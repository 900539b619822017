import { type IconProps, Svg } from './firstIcons';

export { CheckCircleIcon, ChevronRightIcon, InfoIcon, WarningIcon } from './firstIcons';

export const ChevronDownIcon = (props: IconProps) => <Svg d="M5.5 8 10 12.5 14.5 8" {...props} />;
export const ChevronLeftIcon = (props: IconProps) => <Svg d="M12 5.5 7.5 10l4.5 4.5" {...props} />;
export const FirstIcon = (props: IconProps) => <Svg d="M5 5.5v9M13.5 5.5 9 10l4.5 4.5" {...props} />;
export const LastIcon = (props: IconProps) => <Svg d="M15 5.5v9M6.5 5.5 11 10l-4.5 4.5" {...props} />;
export const CloseIcon = (props: IconProps) => <Svg d="m5.5 5.5 9 9m0-9-9 9" {...props} />;
export const RemoveIcon = (props: IconProps) => (
  <Svg d="M4 6h12M8 6V4h4v2M5.5 6l.75 10h7.5l.75-10M8.5 9v4.5M11.5 9v4.5" {...props} />
);
export const MoreIcon = (props: IconProps) => (
  <Svg d="M4.5 10h.01M10 10h.01M15.5 10h.01" strokeWidth="2.4" {...props} />
);
export const CalendarIcon = (props: IconProps) => (
  <Svg d="M4 5.5h12v11H4zM4 9h12M7 3.5v3.5M13 3.5v3.5" {...props} />
);
export const UploadIcon = (props: IconProps) => (
  <Svg d="M10 13V4M6.5 7 10 3.5 13.5 7M4 12.5v3.5h12v-3.5" {...props} />
);
export const DownloadIcon = (props: IconProps) => (
  <Svg d="M10 4v9M6.5 9.7 10 13.2l3.5-3.5M4 16h12" {...props} />
);
export const EyeIcon = (props: IconProps) => (
  <Svg
    d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5ZM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z"
    {...props}
  />
);
export const MoonIcon = (props: IconProps) => (
  <Svg d="M16 11.8A6.5 6.5 0 0 1 8.2 4a6.5 6.5 0 1 0 7.8 7.8Z" {...props} />
);
export const SunIcon = (props: IconProps) => (
  <Svg
    d="M10 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10 2.5V4M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1"
    {...props}
  />
);
export const BellIcon = (props: IconProps) => (
  <Svg d="M5 13.5V9a5 5 0 0 1 10 0v4.5l1.2 1.5H3.8ZM8.3 17h3.4" {...props} />
);
export const ChatIcon = (props: IconProps) => (
  <Svg d="M4 4.5h12v8.5H9.5L6 16v-3H4ZM7 7.5h6M7 10h4" {...props} />
);
export const MenuIcon = (props: IconProps) => <Svg d="M3.5 5.5h13M3.5 10h13M3.5 14.5h13" {...props} />;
export const GridIcon = (props: IconProps) => (
  <Svg d="M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z" {...props} />
);
