import { useMedia } from '../useMedia';

/** This many columns fit side by side on a tablet. */
export const maxTabletColumns = 5;

const phone = '(max-width: 39.99rem)';
// A landscape page has small type.
const tablet = 'screen and (max-width: 63.99rem), print and (max-width: 56rem)';

/** Reports whether the screen is too narrow for this many columns. */
export const useNarrow = (columns: number) => useMedia(columns > maxTabletColumns ? tablet : phone);
