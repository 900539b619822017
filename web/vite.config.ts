import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { routeFiles } from './routeFiles.ts';

// The host header doesn't change: the server rejects sign-ins from pages of other hosts.
const server = { target: process.env.WCPP_DEV_SERVER ?? 'http://localhost:8080', changeOrigin: false };

export default defineConfig({
  base: '/wcpp/',
  plugins: [react(), routeFiles()],
  resolve: {
    alias: [
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      // React has this hook since version 18.
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
      // Replaces a module of write-excel-file, which has no option for it.
      {
        find: '../zip/zipToArrayBuffer.js',
        replacement: fileURLToPath(new URL('./src/ui/table/zip.ts', import.meta.url)),
      },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The bundled packages and their licenses. tools/package builds the notices from it.
    license: { fileName: 'bundled.json' },
    sourcemap: false,
    // Fonts and images stay files: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The start has the names of these files. The page has loaded the runtime, and names the files of
      // account screens itself when it opens with one.
      resolveDependencies: (file, names) =>
        names.filter(
          (name) =>
            !name.includes('rolldown-runtime') && (name.endsWith('.css') || !file.includes('signedOut')),
        ),
    },
    rolldownOptions: {
      // jsPDF loads these only for HTML and SVG, which the portal doesn't put into PDFs.
      external: ['canvg', 'dompurify', 'html2canvas'],
      // Each file has the addresses that it uses, instead of importing them from the start.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // File names count toward the first load uncompressed. Seven characters are enough to
        // distinguish versions.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // Files that load together are one chunk, which compresses better than many small shared
        // ones. Sign-in loads only the start. Account screens also load the forms and the API
        // client. Signed-in screens load the shell, and most of them the kit. A search needs the
        // table only after its form.
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
              test: /src\/(api\/signedIn|app\/(SignedInShell|screens)|features\/(sessions\/LogoutScreen|content\/NewsScreen))\.tsx?$/,
              priority: 0.4,
            },
            // Mantine in four chunks: the core, popovers, pickers, and other layers, which load
            // after the page.
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
            // For pages without a search or a pager.
            {
              name: 'page',
              test: /src\/ui\/(ActionMenu|Popover|useLazyDialog|useStableCallback|window|table\/(state|ShortTable))/,
              priority: 0.35,
            },
            // Links to pages below a list, only in the Workspace.
            {
              name: 'lists',
              test: /src\/shared\/(BillLink|Breadcrumbs|listPosition|queues|openBillSummary|savedViews|billNotes)/,
              priority: 0.32,
            },
            // What several screens of the service desk share: fewer files have fewer names in the shell.
            {
              name: 'desk',
              test: /src\/(features\/desk|shared\/supportReasons)/,
              minShareCount: 2,
              priority: 0.31,
            },
            // Screens with a file to upload.
            {
              name: 'upload',
              test: /src\/(api\/upload|ui\/form\/FilePicker|shared\/(PasteOrFile|useFileUpload))/,
              priority: 0.31,
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
    // All files run in one process, because loading React, Mantine and a document takes longer
    // than most tests. The setup leaves no state for the next file.
    isolate: false,
    // React schedules renders by `performance`: with a clock that runs ahead it would wait.
    fakeTimers: { toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] },
    restoreMocks: true,
    // Many tests type and click through a whole screen; a busy machine needs far longer than the
    // default five seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
