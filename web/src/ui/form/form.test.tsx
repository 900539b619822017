import { zodResolver } from '@hookform/resolvers/zod';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { Banner } from '../Banner';
import { Dialog } from '../Dialog';
import { parseDate } from '../dates';
import { KitProvider } from '../KitProvider';
import { Layer } from '../Layer';
import { ComboboxField } from './ComboboxField';
import { DateField } from './DateField';
import { FormBanner, showServerProblems } from './FormBanner';
import { CheckboxField, PasswordField, RadioGroup, SelectField, TextField } from './fields';
import { TextInput } from './inputs';
import { line } from './kinds';
import { MultiSelectField } from './MultiSelectField';

const schema = z.object({
  // In another order than the fields on the page.
  date: z.string().refine(parseDate, 'Enter a valid date'),
  name: z.string().min(1, 'Enter a name'),
  tins: z.array(z.string()).min(1, 'Choose a TIN'),
  size: z.string().min(1, 'Choose a size'),
  town: z.string().refine((town) => town !== 'albany', 'Choose another town'),
  kind: z.string().min(1, 'Choose a kind'),
  secret: z.string(),
  agreed: z.boolean().refine(Boolean, 'Agree first'),
});
type Values = z.output<typeof schema>;

const tins = ['111111111', '222222222', '333333333'];

function Form({ onSubmit = () => undefined }: { onSubmit?: (values: Values) => void }) {
  const form = useForm<z.input<typeof schema>, unknown, Values>({
    resolver: zodResolver(schema),
    shouldFocusError: false,
    defaultValues: { date: '', name: '', tins: [], size: '', town: '', kind: '', secret: '', agreed: false },
  });
  const { control } = form;
  const submit = form.handleSubmit((values) => {
    onSubmit(values);
    if (values.name === 'taken')
      showServerProblems(form, 'Refused', [{ path: 'name', message: 'This name is taken' }]);
    if (values.name === 'down')
      showServerProblems(form, 'The server is down', [{ path: 'elsewhere', message: 'x' }]);
  });
  return (
    <KitProvider>
      <main>
        <form noValidate onSubmit={submit}>
          <FormBanner form={form} title="Please fix all errors." />
          <TextField
            control={control}
            name="name"
            label="Name"
            kind={line(20)}
            hint="As on the bill"
            required
          />
          <MultiSelectField
            control={control}
            name="tins"
            label="TINs"
            max={2}
            options={tins.map((tin) => ({ value: tin, label: tin }))}
          />
          <DateField control={control} name="date" label="Date" />
          <SelectField
            control={control}
            name="size"
            label="Size"
            placeholder="Select One"
            options={[{ value: 'l', label: 'Large' }]}
          />
          <ComboboxField
            control={control}
            name="town"
            label="Town"
            hint="Without the state"
            options={['Albany', 'Boston'].map((town) => ({ value: town.toLowerCase(), label: town }))}
          />
          <RadioGroup
            control={control}
            name="kind"
            label="Kind"
            options={[
              { value: 'a', label: 'Type A' },
              { value: 'b', label: 'Type B' },
            ]}
          />
          <PasswordField control={control} name="secret" label="Secret" />
          <CheckboxField control={control} name="agreed" label="I agree" />
          <button type="submit">Send</button>
        </form>
        <Layer />
      </main>
    </KitProvider>
  );
}

const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }));

async function fillIn(name: string) {
  await userEvent.type(screen.getByLabelText(/^Name/), name);
  await userEvent.type(screen.getByRole('combobox', { name: 'TINs' }), '222{Enter}');
  await userEvent.type(screen.getByLabelText('Date'), '3 4 2025');
  await userEvent.selectOptions(screen.getByLabelText('Size'), 'Large');
  await userEvent.click(screen.getByLabelText('Type B'));
  await userEvent.click(screen.getByLabelText('I agree'));
}

it('clears problems when something on the page succeeds', async () => {
  const page = (done: boolean) => (
    <>
      {done && <Banner kind="success">Removed</Banner>}
      <Form />
    </>
  );
  const { rerender } = render(page(false));
  await fillIn('down');
  await send();
  await screen.findByText('The server is down');
  rerender(page(true));
  expect(screen.getByRole('status').textContent).toBe('Removed');
  expect(screen.queryByText('The server is down')).toBeNull();
});

it('lists the selected values', async () => {
  render(<Form />);
  const field = screen.getByRole('combobox', { name: 'TINs' });
  await userEvent.type(field, '222{Enter}');
  await userEvent.type(field, '111{Enter}');
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(ids.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Selected: 111111111, 222222222. Limit reached.',
  ]);
});

it('offers no more values than allowed', async () => {
  render(<Form />);
  const field = screen.getByRole('combobox', { name: 'TINs' });
  await userEvent.type(field, '222{Enter}');
  await userEvent.type(field, '111{Enter}');
  await userEvent.click(field);
  const held = () =>
    screen
      .getAllByRole('option', { hidden: true })
      .filter((option) => option.hasAttribute('data-combobox-disabled'))
      .map(({ textContent }) => textContent);
  expect(held()).toEqual(['333333333']);
  await userEvent.keyboard('{Backspace}');
  expect(held()).toEqual([]);
});

it.each(['TINs', 'Town'])('selects the marked option of %s, however fast Enter follows', async (label) => {
  const onSubmit = vi.fn();
  render(<Form onSubmit={onSubmit} />);
  const field = screen.getByRole('combobox', { name: label });
  // All before Mantine's timers run, because they reset its marked option.
  act(() => field.focus());
  fireEvent.change(field, { target: { value: label === 'Town' ? 'Bos' : '222' } });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(document.querySelector('[data-combobox-selected]')?.textContent).toMatch(/Boston|222222222/);
  expect(fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' })).toBe(false);
  if (label === 'Town') expect(field).toHaveProperty('value', 'Boston');
  else
    expect(
      document.getElementById(field.getAttribute('aria-describedby')?.split(' ')[0] ?? '')?.textContent,
    ).toContain('222222222');
});

describe('problems', () => {
  it("are listed in the page's order, take the focus and link to their fields", async () => {
    render(<Form />);
    await send();
    const banner = await screen.findByRole('group', { name: 'Message' });
    await waitFor(() => expect(document.activeElement).toBe(banner));
    const links = [...banner.querySelectorAll('a')];
    expect(links.map((link) => link.textContent)).toEqual([
      'Enter a name',
      'Choose a TIN',
      'Enter a valid date',
      'Choose a size',
      'Choose a kind',
      'Agree first',
    ]);
    const fields = [
      screen.getByLabelText(/^Name/),
      screen.getByRole('combobox', { name: 'TINs' }),
      screen.getByLabelText('Date'),
      screen.getByLabelText('Size'),
      screen.getByLabelText('Type A'),
      screen.getByLabelText('I agree'),
    ];
    for (const [index, link] of links.entries()) {
      await userEvent.click(link);
      expect(document.activeElement).toBe(fields[index]);
    }
  });

  it('are shown by the field itself, and disappear when corrected', async () => {
    render(<Form />);
    const name = screen.getByLabelText(/^Name/);
    expect(name.getAttribute('aria-required')).toBe('true');
    await send();
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
    const described = name.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
      'Enter a name',
      'As on the bill',
    ]);
    await userEvent.type(name, 'x');
    await waitFor(() => expect(name.getAttribute('aria-invalid')).toBeNull());
    expect(screen.queryByRole('link', { name: 'Enter a name' })).toBeNull();
  });

  it("name long text, which stays as pasted until it's shortened", async () => {
    render(<Form />);
    const name = screen.getByLabelText<HTMLInputElement>(/^Name/);
    await userEvent.click(name);
    await userEvent.paste('  a name of more than twenty  ');
    expect(name.value).toBe('  a name of more than twenty  ');
    expect(screen.getByText('Error: Use 20 characters or fewer')).toBeTruthy();
    expect(name.getAttribute('aria-invalid')).toBe('true');
    await userEvent.tab();
    expect(name.value).toBe('  a name of more than twenty  ');
    await userEvent.clear(name);
    // Spaces that are removed don't count.
    await userEvent.paste('  a name  of    twenty   ');
    expect(screen.queryByText('Error: Use 20 characters or fewer')).toBeNull();
    await userEvent.tab();
    expect(name.value).toBe('a name of twenty');
  });

  it('that return while typing are shown, without moving the focus', async () => {
    render(<Form />);
    await fillIn('x');
    const name = screen.getByLabelText(/^Name/);
    await userEvent.clear(name);
    await send();
    await screen.findByRole('group', { name: 'Message' });
    await userEvent.type(name, 'y');
    await waitFor(() => expect(screen.queryByRole('link')).toBeNull());
    await userEvent.type(name, '{Backspace}');
    expect(within(await screen.findByRole('alert')).getByText('Enter a name')).toBeTruthy();
    expect(document.activeElement).toBe(name);
    await send();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('group', { name: 'Message' })));
  });

  it('from the server appear on their field, or on the form', async () => {
    render(<Form />);
    await fillIn('taken');
    await send();
    expect(await screen.findByRole('link', { name: 'This name is taken' })).toBeTruthy();
    await userEvent.clear(screen.getByLabelText(/^Name/));
    await userEvent.type(screen.getByLabelText(/^Name/), 'down');
    await send();
    expect(await screen.findByText('The server is down')).toBeTruthy();
    expect(screen.queryByText('Please fix all errors.')).toBeNull();
  });
});

it('submits the values, with normalized text and dates', async () => {
  const submitted = vi.fn();
  render(<Form onSubmit={submitted} />);
  await fillIn('  Ada   Jo ');
  await send();
  await waitFor(() =>
    expect(submitted).toHaveBeenCalledWith({
      date: '03/04/2025',
      name: 'Ada Jo',
      tins: ['222222222'],
      size: 'l',
      town: '',
      kind: 'b',
      secret: '',
      agreed: true,
    }),
  );
  expect((screen.getByLabelText('Date') as HTMLInputElement).value).toBe('03/04/2025');
});

it('preserves an invalid date as typed', async () => {
  render(<Form />);
  const date = screen.getByLabelText('Date') as HTMLInputElement;
  // A phone's numeric keyboard lacks separators.
  expect(date.inputMode).toBe('');
  await userEvent.type(date, '2/30/2025');
  await userEvent.tab();
  expect(date.value).toBe('2/30/2025');
});

it('accepts no more values than allowed, and Backspace removes one', async () => {
  const submitted = vi.fn();
  render(<Form onSubmit={submitted} />);
  await fillIn('Ada');
  const box = screen.getByRole('combobox', { name: 'TINs' });
  await userEvent.type(box, '111{Enter}');
  await userEvent.type(box, '333{Enter}');
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].tins).toEqual(['222222222', '111111111']));
  await userEvent.click(box);
  await userEvent.keyboard('{Backspace}');
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].tins).toEqual(['222222222']));
});

it('finds one value by typing, and clears it again', async () => {
  const submitted = vi.fn();
  render(<Form onSubmit={submitted} />);
  await fillIn('Ada');
  const town = screen.getByRole('combobox', { name: 'Town' });
  await userEvent.type(town, 'bos');
  await userEvent.keyboard('{Enter}');
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].town).toBe('boston'));
  expect((town as HTMLInputElement).value).toBe('Boston');
  await userEvent.clear(town);
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].town).toBe(''));
});

it('keeps the selection when Enter is pressed in the reopened list', async () => {
  const submitted = vi.fn();
  render(<Form onSubmit={submitted} />);
  await fillIn('Ada');
  const town = screen.getByRole('combobox', { name: 'Town' }) as HTMLInputElement;
  await userEvent.type(town, 'bos{Enter}');
  await userEvent.tab();
  await userEvent.tab({ shift: true });
  expect(document.activeElement).toBe(town);
  await waitFor(() => expect(town.getAttribute('aria-expanded')).toBe('true'));
  await userEvent.keyboard('{Enter}');
  expect(town.value).toBe('Boston');
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].town).toBe('boston'));
});

it('selects a fully typed value on blur, and nothing else', async () => {
  const submitted = vi.fn();
  render(<Form onSubmit={submitted} />);
  await fillIn('Ada');
  const town = screen.getByRole('combobox', { name: 'Town' }) as HTMLInputElement;
  await userEvent.type(town, 'boston');
  await userEvent.tab();
  expect(town.value).toBe('Boston');
  await userEvent.type(screen.getByRole('combobox', { name: 'TINs' }), '111111111');
  await userEvent.tab();
  await userEvent.type(screen.getByRole('combobox', { name: 'TINs' }), '33');
  await userEvent.tab();
  await send();
  await waitFor(() => expect(submitted.mock.lastCall?.[0].town).toBe('boston'));
  expect(submitted.mock.lastCall?.[0].tins).toEqual(['222222222', '111111111']);
});

it.each(['TINs', 'Town'])(
  'names the marked option of %s to screen readers, however it was reached',
  async (label) => {
    render(<Form />);
    const field = screen.getByRole('combobox', { name: label });
    const told = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    const marked = () => document.querySelector('[data-combobox-selected]');
    await userEvent.type(field, label === 'Town' ? 'bos' : '222');
    await waitFor(() => expect(told()?.textContent).toMatch(/Boston|222222222/));
    expect(told()).toBe(marked());
    expect(document.getElementById(field.getAttribute('aria-controls') ?? '')?.tabIndex).toBe(-1);
    await userEvent.keyboard('{Escape}');
    expect(field.hasAttribute('aria-activedescendant')).toBe(false);
    await userEvent.clear(field);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Escape}');
    await userEvent.tab();
    await userEvent.tab({ shift: true });
    await waitFor(() => expect(field.getAttribute('aria-expanded')).toBe('true'));
    expect(told()).toBe(marked());
    await userEvent.keyboard('{ArrowDown}');
    expect(marked()).toBeTruthy();
    await waitFor(() => expect(told()).toBe(marked()));
  },
);

it('describes searchable fields by their error, hint and selection', async () => {
  render(<Form />);
  const describe = (name: string) =>
    (screen.getByRole('combobox', { name }).getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent);
  expect(describe('Town')).toEqual(['Without the state']);
  await userEvent.type(screen.getByRole('combobox', { name: 'Town' }), 'Albany');
  await send();
  await waitFor(() => expect(describe('Town')).toEqual(['Choose another town', 'Without the state']));
  expect(describe('TINs')).toEqual(['Choose a TIN']);
  await userEvent.type(screen.getByRole('combobox', { name: 'TINs' }), '222{Enter}');
  await waitFor(() => expect(describe('TINs')).toEqual(['Selected: 222222222']));
});

it('shows a password only on request', async () => {
  render(<Form />);
  const secret = screen.getByLabelText('Secret') as HTMLInputElement;
  expect(secret.type).toBe('password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(secret.type).toBe('text');
});

it('picks a date from the calendar', async () => {
  render(<Form />);
  await userEvent.type(screen.getByLabelText('Date'), '3/4/2025');
  await userEvent.click(screen.getByRole('button', { name: 'Select a date' }));
  await screen.findByRole('button', { name: 'March 4, 2025', pressed: true });
  await userEvent.click(screen.getByRole('button', { name: 'March 17, 2025', pressed: false }));
  expect((screen.getByLabelText('Date') as HTMLInputElement).value).toBe('03/17/2025');
});

it('moves through the calendar by keyboard, also to another month', async () => {
  render(<Form />);
  await userEvent.type(screen.getByLabelText('Date'), '3/29/2025');
  await userEvent.click(screen.getByRole('button', { name: 'Select a date' }));
  const at = (day: string) =>
    waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe(day));
  await at('March 29, 2025');
  for (const [key, day] of [
    ['ArrowRight', 'March 30, 2025'],
    ['ArrowDown', 'April 6, 2025'],
    ['ArrowUp', 'March 30, 2025'],
    ['ArrowUp', 'March 23, 2025'],
    ['PageUp', 'February 23, 2025'],
    ['PageDown', 'March 23, 2025'],
    ['End', 'March 29, 2025'],
    ['PageUp', 'February 28, 2025'],
    ['ArrowRight', 'March 1, 2025'],
    ['ArrowLeft', 'February 28, 2025'],
    ['Home', 'February 23, 2025'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    await at(day);
  }
  await userEvent.click(screen.getByRole('button', { name: 'Next month' }));
  await screen.findByRole('button', { name: 'March 17, 2025' });
});

it('closes the calendar by Escape without the dialog around it', async () => {
  const close = vi.fn();
  function Due() {
    const { control } = useForm({ defaultValues: { due: '' } });
    return <DateField control={control} name="due" label="Due" />;
  }
  render(
    <KitProvider>
      <Dialog open title="Bill" onClose={close}>
        <Due />
      </Dialog>
      <Layer />
    </KitProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Select a date' }));
  const calendar = await screen.findByRole('dialog', { name: 'Select a date' });
  await waitFor(() => expect(calendar.contains(document.activeElement)).toBe(true));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Select a date' })).toBeNull());
  expect(close).not.toHaveBeenCalled();
});

it('shows the problem of a field outside a form, and leaves it to the banner in a form', async () => {
  const { unmount } = render(<TextInput label="Username" error="Error: Enter a username" />);
  expect(screen.getByRole('alert').textContent).toBe('Error: Enter a username');
  unmount();
  render(<Form />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findAllByText('Enter a name')).toHaveLength(2);
  expect(screen.queryByRole('alert')).toBeNull();
});
