// Adds a brotli and a gzip copy of the text files of the built application, so that the server
// compresses nothing at run time. Most files exist only compressed, which makes
// the program 3 MB smaller.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dir = process.argv[2];

// Returns the smallest result of a few settings, because no setting is the best for every file.
function compress(content) {
  const results = [0, 16, 20].flatMap((block) =>
    [constants.BROTLI_MODE_GENERIC, constants.BROTLI_MODE_FONT].map((mode) =>
      brotliCompressSync(content, {
        params: {
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
          [constants.BROTLI_PARAM_LGBLOCK]: block,
          [constants.BROTLI_PARAM_MODE]: mode,
        },
      }),
    ),
  );
  return results.reduce((best, result) => (result.length < best.length ? result : best));
}

for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(js|css|svg|json|map|txt|ttf)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const content = readFileSync(file);
  // Few users download these, or only the server reads them, and large libraries load after the
  // screen that uses them. They don't need the smallest form.
  if (!/\.(txt|ttf|json)$/.test(entry.name) && content.length < 350_000) writeFileSync(`${file}.br`, compress(content));
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9, memLevel: 9 }));
  if (/\.(js|css|json|txt|ttf)$/.test(entry.name)) rmSync(file);
}
