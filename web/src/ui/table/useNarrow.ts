import { useMedia } from '../useMedia';

/** Up to so many columns fit side by side on a tablet. */
export const fitting = 5;

const phone = '(max-width: 39.99rem)';
const tablet = '(max-width: 63.99rem)';

/** Tells whether the screen is too narrow to show so many columns side by side. */
export const useNarrow = (columns: number) => useMedia(columns > fitting ? tablet : phone);
