import { zipSync } from 'fflate';

/**
 * Packs the parts of a workbook, in place of what its writer brings for that (vite.config.ts): that one gives what is
 * over 160 kB to a web worker made from a blob, which the content security policy does not allow, and waits for good.
 */
export default async (parts: Record<string, Uint8Array>) => zipSync(parts).buffer;
