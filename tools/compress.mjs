// Compresses the text files of the built application with brotli, so that the server compresses
// nothing for browsers at run time. They exist only compressed, which makes the program 3 MB smaller.
// With "show", it writes such a file to the standard output.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

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

const [dir, file] = process.argv.slice(2);
if (dir === 'show') {
  process.stdout.write(brotliDecompressSync(readFileSync(file)));
} else {
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|css|svg|json|map|txt|ttf)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const content = readFileSync(path);
    // Screens load these later or not at all.
    const isLarge = content.length > 350_000 || /\.(txt|ttf)$/.test(entry.name);
    writeFileSync(`${path}.br`, isLarge ? brotliCompressSync(content) : compress(content));
    if (!/\.(svg|map)$/.test(entry.name)) rmSync(path);
  }
}
