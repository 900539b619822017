import { expect, test } from 'vitest';
import { router } from '@/app/router';
import { findScreenModules } from './routeFiles.ts';

test('finds the module of every lazy screen by its address', () => {
  const { signedIn, signedOut } = findScreenModules();
  const paths = { signedIn: [] as string[], signedOut: [] as string[] };
  for (const { fullPath, options } of Object.values(router.routesByPath)) {
    const { access } = options.staticData ?? {};
    if (!(options.component && 'preload' in options.component)) continue;
    paths[access === 'public' ? 'signedOut' : 'signedIn'].push(fullPath);
  }
  expect(Object.keys(signedIn).sort()).toEqual(paths.signedIn.sort());
  expect(Object.keys(signedOut).sort()).toEqual(paths.signedOut.sort());
  expect(Object.values({ ...signedIn, ...signedOut }).filter((module) => !module)).toEqual([]);
  expect([signedIn['/'], signedIn['/home'], signedIn['/desk/bill/$id']]).toEqual([
    './Home',
    './Home',
    '@/features/bills/page/BillPage',
  ]);
});
