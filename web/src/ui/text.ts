/** Text as it is compared and sent: trimmed, NFC, every run of white space one space. */
export const normaliseText = (text: string) => text.normalize('NFC').trim().replace(/\s+/gu, ' ');
