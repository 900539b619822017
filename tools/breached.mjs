// Rebuilds the server's list of breached passwords from the package that the browser loads it
// from: node tools/breached.mjs
import { copyFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const source = new URL('../web/node_modules/@zxcvbn-ts/language-common/', import.meta.url);
const target = new URL('../internal/platform/passwords/', import.meta.url);
const { dictionary } = await import(new URL('dist/index.mjs', source));

const text = `${dictionary['passwords-common'].join('\n')}\n`;
writeFileSync(new URL('breached.txt.gz', target), gzipSync(text, { level: 9 }));
copyFileSync(new URL('LICENSE.txt', source), new URL('breached.LICENSE', target));
