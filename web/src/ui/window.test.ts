import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { download, openWindow } from './window';

const opened = () => ({
  opener: window as unknown,
  document: document.implementation.createHTMLDocument(),
  location: { replace: vi.fn() },
  close: vi.fn(),
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('opens an empty window with our styles and no opener, and navigates it', () => {
  document.body.style.fontFamily = 'Public Sans';
  const other = opened();
  const open = vi.spyOn(window, 'open').mockReturnValue(other as unknown as Window);
  const shown = openWindow('Please wait');
  expect(open).toHaveBeenCalledWith('', '_blank');
  expect(shown.blocked).toBe(false);
  expect(other.opener).toBeNull();
  expect(other.document.body.textContent).toBe('Please wait');
  expect(other.document.body.style.fontFamily).toContain('Public Sans');
  expect(other.document.querySelector('[role=status]')?.textContent).toBe('Please wait');
  shown.showMessage('Almost');
  expect(other.document.body.textContent).toBe('Almost');
  shown.navigate('/file.pdf');
  expect(other.location.replace).toHaveBeenCalledWith('/file.pdf');
  shown.close();
  expect(other.close).toHaveBeenCalledOnce();
});

it('detects that the browser blocked it', () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const shown = openWindow();
  expect(shown.blocked).toBe(true);
  expect(() => shown.navigate('/file.pdf')).not.toThrow();
});

it('saves a file under its name and releases it later', () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const clicked: HTMLAnchorElement[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    clicked.push(this);
  });
  const file = new Blob(['x']);
  download(file, 'report.csv');
  expect(create).toHaveBeenCalledWith(file);
  expect(clicked).toHaveLength(1);
  expect(clicked[0]?.download).toBe('report.csv');
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60_000);
  expect(revoke).toHaveBeenCalledWith('blob:1');
});
