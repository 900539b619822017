import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeServer, makeSession } from '@/api/testing';
import { renderScreens } from '@/shared/testing';
import { type Criteria, getDefaultCriteria } from './criteria';
import { SearchForm } from './SearchForm';

function show(isPhone: boolean, part: Partial<Criteria> = {}) {
  const query = window.matchMedia;
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.defineProperty(query(media), 'matches', { value: isPhone && media.includes('39.99rem') }),
  );
  fakeServer({});
  const searches: Criteria[] = [];
  const Form = () => (
    <SearchForm
      tins={['111111111', '222222222']}
      current={{ ...getDefaultCriteria(), ...part }}
      searching={false}
      onSearch={(criteria) => searches.push(criteria)}
    />
  );
  renderScreens({ '/': Form }, makeSession());
  return searches;
}

const details = () => document.querySelector('details');

test('a phone shows the number and the dates, and folds the other filters', async () => {
  const searches = show(true);
  const number = await screen.findByLabelText('Check or EFT number');
  expect(details()?.open).toBe(false);
  expect(details()?.contains(number)).toBe(false);
  expect(details()?.contains(screen.getByLabelText('Payer'))).toBe(true);
  expect(details()?.contains(screen.getByLabelText('Not posted'))).toBe(true);

  // A wrong amount doesn't stay hidden.
  await userEvent.type(screen.getByLabelText('Amount'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Search' }));
  await screen.findByText('Error: Enter an amount, such as 1,847.50');
  expect(details()?.open).toBe(true);
  expect(searches).toEqual([]);
});

test('filters in use are unfolded', async () => {
  show(true, { ftin: '222222222' });
  await screen.findByLabelText('Check or EFT number');
  expect(details()?.open).toBe(true);
});

test('a wide screen shows all filters', async () => {
  show(false);
  await screen.findByLabelText('Payer');
  expect(details()).toBeNull();
});
