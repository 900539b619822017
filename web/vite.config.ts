import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { routeFiles } from './routeFiles.ts';

// The host stays the one that the browser names: signing in is refused to pages of other hosts.
const server = { target: process.env.WCPP_DEV_SERVER ?? 'http://localhost:8080', changeOrigin: false };

export default defineConfig({
  base: '/wcpp/',
  plugins: [react(), routeFiles()],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // React has had this hook since its version 18.
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
      // Of write-excel-file, which has no way to be told.
      {
        find: '../zip/zipToArrayBuffer.js',
        replacement: fileURLToPath(new URL('./src/ui/table/zip.ts', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // What is inside, with its licences: tools/package makes the notices of it.
    license: { fileName: 'bundled.json' },
    sourcemap: false,
    // Fonts and images stay files: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Each name costs the start its letters, which nothing compresses; these are enough to tell versions apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // What is loaded together is one file: whole it compresses better than in the small pieces that screens share.
        // Sign-in loads the start alone, the screens of accounts the forms and what makes calls too, a signed-in screen
        // the shell, and most of them the kit. A search needs the table after its form.
        codeSplitting: {
          groups: [
            {
              name: 'start',
              test: /rolldown\/runtime|src\/main\.tsx$|node_modules\/(?!@tanstack\/react-router\/dist\/esm\/useBlocker)(react|react-dom|scheduler|use-sync-external-store|@tanstack\/(react-router|router-core|history|store|react-store))\//,
              priority: 1,
            },
            {
              name: 'form',
              test: /node_modules\/(react-hook-form|@hookform|zod|openapi-fetch)\/|src\/api\/calls|src\/shared\/validation|src\/ui\/(text|table\/matches|form\/(Field|fields|inputs|bound|FormBanner))\.tsx?$/,
              priority: 0.5,
            },
            {
              name: 'shell',
              test: /src\/(api\/signedIn|app\/(SignedInShell|Expected|screens)|features\/(sessions\/LogoutScreen|content\/NewsScreen))\.tsx?$/,
              priority: 0.4,
            },
            // Mantine, in parts: what all of it needs, what lists over a page need, those of pickers, and what else lies
            // over one, which comes when the page is there.
            {
              name: 'mantine',
              test: /node_modules\/@mantine\/core\/(esm\/(core|components\/(UnstyledButton\/|Checkbox\/CheckIcon|Accordion\/AccordionChevron))|styles\/UnstyledButton)/,
              priority: 0.39,
            },
            {
              name: 'over',
              test: /node_modules\/(@floating-ui\/|@mantine\/core\/(esm\/components|styles)\/(Popover|ScrollArea|Input|CloseButton)\b)/,
              priority: 0.38,
            },
            { name: 'layers', test: /src\/ui\/layers\.ts$/, priority: 0.37 },
            { name: 'pickers', test: /src\/ui\/form\/(ComboboxField|MultiSelectField)/, priority: 0.36 },
            // What pages need that neither search nor turn pages.
            {
              name: 'page',
              test: /src\/ui\/(ActionMenu|Popover|useOpened|useStableCallback|window|table\/(state|ShortTable))/,
              priority: 0.35,
            },
            { name: 'search', test: /src\/ui\/form\/(SearchCard|DateField)/, priority: 0.3 },
            { name: 'frame', test: /src\/ui\/table\/DataTable\.module/, priority: 0.25 },
            { name: 'table', test: /src\/ui\/table\/DataTable\.tsx$/, priority: 0.2 },
            { name: 'kit', test: /node_modules|src\/(ui|api|shared)\//, minShareCount: 6 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': server, '/js': server, '/sso': server },
  },
  test: {
    environment: 'happy-dom',
    setupFiles: ['./src/test-setup.ts'],
    css: false,
    // All files run in one place after another, as to load React, Mantine and a document for each takes longer than most
    // of their tests; the set-up leaves nothing behind for the next.
    isolate: false,
    // React measures by `performance` when it last showed something: from a clock that ran ahead it would wait to show more.
    fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
    restoreMocks: true,
    // Many tests type and click through a whole screen; a busy machine needs far longer than the usual five seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
