import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { applyStoredTheme, setTheme, useColorScheme } from './theme';

const Scheme = () => <output>{useColorScheme()}</output>;

beforeEach(() => {
  localStorage.clear();
  delete document.documentElement.dataset.theme;
});

it('follows the choice immediately and stores it', () => {
  render(<Scheme />);
  act(() => setTheme('dark'));
  expect(screen.getByRole('status').textContent).toBe('dark');
  expect(document.documentElement.dataset.theme).toBe('dark');

  delete document.documentElement.dataset.theme;
  applyStoredTheme();
  expect(document.documentElement.dataset.theme).toBe('dark');

  act(() => setTheme('auto'));
  expect(document.documentElement.dataset.theme).toBeUndefined();
  applyStoredTheme();
  expect(document.documentElement.dataset.theme).toBeUndefined();
});
