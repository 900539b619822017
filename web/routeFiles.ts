import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';

/* Which files a screen is made of, for the server to name them in its page: all are then fetched in one step. */

const source = (path: string) => join(import.meta.dirname, 'src', path);

/** The screens' modules by their addresses, as routes.tsx and screens.ts have them. */
export function screenModules(
  routes = readFileSync(source('app/routes.tsx'), 'utf8'),
  screens = readFileSync(source('app/screens.ts'), 'utf8'),
): { signedIn: Record<string, string>; signedOut: Record<string, string> } {
  const modules = pairs(screens, /^ {2}(\w+): [^']*'([^']+)'/gm);
  // A screen of two addresses is a constant there.
  const named = pairs(routes, /^const (\w+) = page\('(\w+)'\)/gm);
  // Of who is not signed in, one that is a file of its own.
  const alone = pairs(routes, /^const (\w+) = lazyRouteComponent\(\s*fetched\(\(\) => import\('([^']+)'\)/gm);
  const signedIn: Record<string, string> = {};
  const signedOut: Record<string, string> = {};
  for (const [, path = '', loader = '', name = ''] of routes.matchAll(
    /\b(?:screen|mailed)At\(\s*'([^']+)',[^()]*?,\s*(\w+)(?:\('(\w+)'\))?,?\s*[){]/g,
  )) {
    if (loader === 'signedOut') signedOut[path] = '@/features/account/signedOut';
    if (alone[loader]) signedOut[path] = alone[loader];
    const screen = loader === 'page' ? name : named[loader];
    if (screen) signedIn[path] = modules[screen] ?? '';
  }
  return { signedIn, signedOut };
}

const pairs = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]));

/** Writes routes.json: the files of the shell, and of each screen by its address in lower case. */
export function routeFiles(): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const start = new Set(
        chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => filesOf(chunk, byName)),
      );
      const files = (module: string) => {
        const path = source(module.replace(/^@\//, '').replace(/^\.\//, 'app/'));
        const holder = chunks.find(({ moduleIds }) =>
          moduleIds.some((id) => id.replace(/\.tsx?$/, '') === path),
        );
        if (!holder) throw new Error(`No file is made of ${module}.`);
        return filesOf(holder, byName).filter((file) => !start.has(file));
      };
      const each = (screens: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(screens).map(([path, module]) => [path.toLowerCase(), files(module)]),
        );
      const { signedIn, signedOut } = screenModules();
      const shell = [...new Set([...files('./SignedInShell'), ...files('./screens')])];
      this.emitFile({
        type: 'asset',
        fileName: 'routes.json',
        source: JSON.stringify({ shell, signedIn: each(signedIn), signedOut: each(signedOut) }),
      });
    },
  };
}

/** A chunk's files, those it imports first, as the styles of a screen stand after those of the kit. */
function filesOf(chunk: Rollup.OutputChunk, byName: Map<string, Rollup.OutputChunk>): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const add = ({ fileName, imports, viteMetadata }: Rollup.OutputChunk) => {
    if (seen.has(fileName)) return;
    seen.add(fileName);
    for (const name of imports) {
      const imported = byName.get(name);
      if (imported) add(imported);
    }
    files.add(fileName);
    for (const style of viteMetadata?.importedCss ?? []) files.add(style);
  };
  add(chunk);
  return [...files];
}
