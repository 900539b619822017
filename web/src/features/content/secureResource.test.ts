import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bearer } from '@/api/client';
import { getResourceUrl } from '@/api/resources';
import { configure, fakeServer } from '@/api/testing';
import { openSecureResource } from './secureResource';

beforeEach(async () => {
  await configure({ resourceUrl: '/api/resources' });
});

describe('a resource address', () => {
  test.each([
    ['/manuals/a.pdf', 'http://localhost:3000/api/resources/manuals/a.pdf'],
    ['manuals/a.pdf', 'http://localhost:3000/api/resources/manuals/a.pdf'],
  ])('%s', (path, address) => expect(getResourceUrl(path)).toBe(address));

  test.each(['../logout', '/%2e%2e/session', 'https://evil.example/a.pdf', '\\..\\x'])(
    '%s is outside',
    (path) => expect(getResourceUrl(path)).toBeNull(),
  );

  test('another host behind slashes stays a path', () =>
    expect(getResourceUrl('//evil.example/a.pdf')).toBe(
      'http://localhost:3000/api/resources/evil.example/a.pdf',
    ));
});

describe('opening', () => {
  const opened = { opener: {}, close: vi.fn(), location: { replace: vi.fn() } };
  const open = (window: unknown = opened) => vi.spyOn(globalThis, 'open').mockReturnValue(window as Window);
  const answer = (path: `/${string}`, type: string) =>
    fakeServer({
      [`GET /resources${path}`]: { body: new Blob(['%PDF']), headers: { 'Content-Type': type } },
    });
  beforeEach(() => {
    bearer.token = 'token-1';
    opened.opener = {};
    opened.close.mockClear();
    opened.location.replace.mockClear();
  });

  test('shows a PDF at its address, in a window that cannot reach back', async () => {
    open();
    answer('/a.pdf', 'application/pdf');
    expect(await openSecureResource('/a.pdf')).toBe('opened');
    expect(opened.location.replace).toHaveBeenCalledWith('http://localhost:3000/api/resources/a.pdf');
    expect(opened.opener).toBeNull();
  });

  test('shows a video at its address in a player window', async () => {
    const spy = open();
    answer('/a.mp4', 'video/mp4');
    expect(await openSecureResource('/a.mp4')).toBe('opened');
    expect(spy).toHaveBeenCalledWith('', '_blank', expect.stringContaining('popup'));
    expect(opened.location.replace).toHaveBeenCalledWith('http://localhost:3000/api/resources/a.mp4');
  });

  test('ignores other types', async () => {
    open();
    answer('/a.html', 'text/html');
    expect(await openSecureResource('/a.html')).toBe('unhandled');
    expect(opened.close).toHaveBeenCalled();
    expect(opened.location.replace).not.toHaveBeenCalled();
  });

  test('an error closes the window and is reported', async () => {
    open();
    fakeServer({ 'GET /resources/a.pdf': { status: 403, body: { code: 'forbidden', message: 'No.' } } });
    await expect(openSecureResource('/a.pdf')).rejects.toMatchObject({ status: 403 });
    expect(opened.close).toHaveBeenCalled();
  });

  test('only a window that did not open counts as blocked', async () => {
    open(null);
    expect(await openSecureResource('/a.pdf')).toBe('blocked');
  });
});
