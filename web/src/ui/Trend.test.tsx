import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Trend } from './Trend';

const line = (container: HTMLElement) => container.querySelector('polyline')?.getAttribute('points');

test('a line spans the steps, and the text has its lowest and last value', () => {
  const { container } = render(
    <Trend
      label="Lines over 4 days"
      steps={4}
      points={[
        { at: 0, value: 1 },
        { at: 1, value: 0.5 },
        { at: 4, value: 0.75 },
      ]}
    />,
  );
  screen.getByRole('img', { name: 'Lines over 4 days: lowest 50.0%, latest 75.0%' });
  expect(line(container)).toBe('3,3 33.5,29 125,16');
});

test("a small change isn't a mountain, one day is a dot, and none renders nothing", () => {
  const { container, rerender } = render(
    <Trend
      label="Lines"
      steps={1}
      points={[
        { at: 0, value: 1 },
        { at: 1, value: 0.99 },
      ]}
    />,
  );
  expect(line(container)).toBe('3,3 125,5.6');
  rerender(<Trend label="Lines" steps={0} points={[{ at: 0, value: 1 }]} />);
  expect(container.querySelector('circle')?.getAttribute('cx')).toBe('3');
  rerender(<Trend label="Lines" steps={9} points={[]} />);
  expect(container.innerHTML).toBe('');
});
