import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rollup } from 'vite';
import { isWorkspace } from './src/shared/paths.ts';

/*
 * Lists the files of each screen. The server names them in its page, so that the browser fetches
 * all of them in parallel.
 */

const source = (path: string) => join(import.meta.dirname, 'src', path);

/** The screens' modules by address, parsed from routes.tsx, the two lists of screens and paths.ts. */
export function findScreenModules(
  routes = readFileSync(source('app/routes.tsx'), 'utf8'),
  screens = readFileSync(source('app/screens.ts'), 'utf8') +
    readFileSync(source('app/workspaceScreens.ts'), 'utf8'),
  addresses = readFileSync(source('shared/paths.ts'), 'utf8'),
): { signedIn: Record<string, string>; signedOut: Record<string, string> } {
  const paths = matchPairs(addresses, /^export const (\w+) = '([^']+)'/gm);
  // Signed-out screens with a file of their own.
  const alone = matchPairs(
    routes,
    /^const (\w+) = lazyRouteComponent\(\s*loadChunk\(\(\) => import\('([^']+)'\)/gm,
  );
  const signedIn = byPath(matchPairs(screens, /^ {2}\[paths\.(\w+)\]: [^']*'([^']+)'/gm), paths);
  const signedOut: Record<string, string> = {};
  for (const [, address = '', loader = ''] of routes.matchAll(
    /\bcreate(?:Screen|EmailLink)Route\(\s*paths\.(\w+),[^()]*?[\s:](lazySignedOutScreen|\w+)(?:\('\w+'\))?,?\s*[)}]/g,
  )) {
    const module = loader === 'lazySignedOutScreen' ? '@/features/account/signedOut' : alone[loader];
    if (module) Object.assign(signedOut, byPath({ [address]: module }, paths));
  }
  return { signedIn, signedOut };
}

/** Replaces the names of addresses with the addresses. */
function byPath(modules: Record<string, string>, paths: Record<string, string>): Record<string, string> {
  const entries = Object.entries(modules).map(([address, module]) => {
    const path = paths[address];
    if (!path) throw new Error(`paths.ts has no ${address}.`);
    return [path, module];
  });
  return Object.fromEntries(entries);
}

const matchPairs = (text: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...text.matchAll(pattern)].map(([, name, value]) => [name, value]));

/**
 * Writes routes.json: the files of the shell, and those of each screen by its address in
 * lowercase.
 */
export function routeFiles(): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const start = new Set(
        chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => listFiles(chunk, byName)),
      );
      const files = (module: string) => {
        const path = source(module.replace(/^@\//, '').replace(/^\.\//, 'app/'));
        const holder = chunks.find(({ moduleIds }) =>
          moduleIds.some((id) => id.replace(/\.tsx?$/, '') === path),
        );
        if (!holder) throw new Error(`No chunk contains ${module}.`);
        return listFiles(holder, byName).filter((file) => !start.has(file));
      };
      const workspace = files('./workspaceScreens');
      const each = (screens: Record<string, string>) =>
        Object.fromEntries(
          Object.entries(screens).map(([path, module]) => [
            path.toLowerCase(),
            [...new Set([...(isWorkspace(path) ? workspace : []), ...files(module)])],
          ]),
        );
      const { signedIn, signedOut } = findScreenModules();
      const shell = [...new Set([...files('./SignedInShell'), ...files('./screens')])];
      this.emitFile({
        type: 'asset',
        fileName: 'routes.json',
        source: JSON.stringify({ shell, signedIn: each(signedIn), signedOut: each(signedOut) }),
      });
    },
  };
}

/** Returns a chunk's files, its imports first, because a screen's styles must follow the kit's. */
function listFiles(chunk: Rollup.OutputChunk, byName: Map<string, Rollup.OutputChunk>): string[] {
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
