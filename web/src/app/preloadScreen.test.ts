import { afterEach, expect, test, vi } from 'vitest';
import { makeSession } from '@/api/testing';
import { preloadScreen } from './preloadScreen';
import { router } from './router';

afterEach(() => vi.restoreAllMocks());

const session = makeSession({ routes: ['billSearch', 'work/bill/$id'], workspace: [] });

/** Returns the paths with a fetched screen. */
function fetched(paths: string[], may: typeof session | null) {
  const preloaded: string[] = [];
  for (const { fullPath, options } of Object.values(router.routesByPath)) {
    const { component } = options as { component?: { preload?: () => Promise<void> } };
    if (component?.preload)
      vi.spyOn(component, 'preload').mockImplementation(async () => void preloaded.push(fullPath));
  }
  for (const path of paths) preloadScreen(router, path, may);
  return preloaded;
}

test("fetches a link's screen if the session can open it", () => {
  expect(
    fetched(['/wcpp/billSearch', '/wcpp/work/bill/Ab-9_z', '/wcpp/News', '/wcpp/forgotusernm'], session),
  ).toEqual(['/billSearch', '/work/bill/$id', '/News', '/forgotusernm']);
});

test('fetches no other screen', () => {
  expect(fetched(['/wcpp/UserSearch', '/wcpp/no/such/page', '/wcpp/login', '/elsewhere'], session)).toEqual(
    [],
  );
  expect(fetched(['/wcpp/billSearch', '/wcpp/News'], null)).toEqual([]);
});

test('ignores a failed fetch', async () => {
  const { component } = router.routesByPath['/billSearch'].options as unknown as {
    component: { preload: () => Promise<void> };
  };
  const preload = vi.spyOn(component, 'preload').mockRejectedValue(new Error('gone'));
  preloadScreen(router, '/wcpp/billSearch', session);
  await expect(preload.mock.results[0]?.value).rejects.toThrow('gone');
});
