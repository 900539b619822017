// Rebuilds the server's list of breached passwords from the package that the browser loads it
// from: node tools/breached.mjs
import { copyFileSync, writeFileSync } from 'node:fs';

const source = new URL('../web/node_modules/@zxcvbn-ts/language-common/', import.meta.url);
const target = new URL('../internal/platform/passwords/', import.meta.url);
const { dictionary } = await import(new URL('dist/index.mjs', source));

writeFileSync(new URL('breached.txt', target), `${dictionary['passwords-common'].join('\n')}\n`);
copyFileSync(new URL('LICENSE.txt', source), new URL('breached.LICENSE', target));
