/** Text as it is compared and sent: trimmed, NFC, every run of white space one space. */
export const normaliseText = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');

/** Text that begins a sentence or a line of its own. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
