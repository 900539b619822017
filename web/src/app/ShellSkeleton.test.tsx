import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { readSessionPreview } from '@/api/sessionPreview';
import { ShellSkeleton } from './ShellSkeleton';

afterEach(() => document.getElementById('outline')?.remove());

test("shows the page's session preview until the session arrives", () => {
  expect(readSessionPreview()).toBeNull();
  const script = document.createElement('script');
  script.type = 'application/json';
  script.id = 'outline';
  script.textContent = JSON.stringify({
    type: 'PRUS',
    routes: ['billSearch'],
    menu: [{ label: 'Bill Search', to: 'billSearch' }],
    permissions: [],
    idleMinutes: 30,
  });
  document.body.append(script);
  const expected = readSessionPreview();
  if (!expected) throw new Error('the page tells nothing');
  render(<ShellSkeleton preview={expected} />);
  expect(screen.getByRole('link', { name: 'Bill Search' }).getAttribute('href')).toBe('/wcpp/billSearch');
  expect(screen.getByRole('status').textContent).toBe('Please wait while we retrieve data.');
});
