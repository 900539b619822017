import { CheckIcon, type ComboboxItem } from '@mantine/core';
import { matchesFilter } from '../table/matches';
import styles from './combobox.module.css';
import type { Option } from './inputs';

/** Shows and searches options with a note. */
export const withNotes = {
  renderOption: ({ option, checked }: { option: ComboboxItem; checked?: boolean }) => (
    <>
      {checked && <CheckIcon className={styles.check} />}
      <span>{option.label}</span>
      {getNote(option) && <span className={styles.note}>{` ${getNote(option)}`}</span>}
    </>
  ),
  filter: ({ options, search }: { options: readonly unknown[]; search: string }) => {
    const typed = search.trim().toLowerCase();
    return (options as ComboboxItem[]).filter((option) =>
      [option.label, getNote(option)].some((text) => matchesFilter(text.toLowerCase(), typed)),
    );
  },
};

// Mantine passes options through unchanged.
const getNote = (option: ComboboxItem) => (option as Option).note ?? '';
