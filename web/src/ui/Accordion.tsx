import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Accordion.layer.css';
import { Accordion as MantineAccordion } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './Accordion.module.css';
import { ChevronDownIcon } from './icons';

export interface Section<Name extends string> {
  name: Name;
  title: string;
  hint?: string;
  content: ReactNode;
}

interface Props<Name extends string> {
  sections: readonly Section<Name>[];
  /** The open section, if any. */
  open: Name | null;
  onOpen: (name: Name | null) => void;
  headingLevel?: 2 | 3 | 4;
  /** Inside a card, without a border around the whole. */
  flat?: boolean;
}

/** Sections that open one at a time. A closed section unmounts its content. */
export function Accordion<Name extends string>({
  sections,
  open,
  onOpen,
  headingLevel = 2,
  flat,
}: Props<Name>) {
  return (
    <MantineAccordion<false>
      value={open}
      onChange={(name) => onOpen(name as Name | null)}
      order={headingLevel}
      keepMounted={false}
      chevron={<ChevronDownIcon />}
      transitionDuration={0}
      classNames={{
        root: flat ? styles.flat : styles.root,
        item: styles.item,
        control: styles.control,
        label: styles.label,
        chevron: styles.chevron,
        content: styles.content,
      }}
    >
      {sections.map(({ name, title, hint, content }) => (
        <MantineAccordion.Item key={name} value={name}>
          <MantineAccordion.Control>
            <span className={styles.title}>{title}</span>{' '}
            {hint && <span className={styles.hint}>{hint}</span>}
          </MantineAccordion.Control>
          <MantineAccordion.Panel>{content}</MantineAccordion.Panel>
        </MantineAccordion.Item>
      ))}
    </MantineAccordion>
  );
}
