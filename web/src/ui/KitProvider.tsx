import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { keepFocus } from './keepFocus';
import './fingers.css';
import { layerId } from './Layer';
import { Toasts } from './Toasts';
import { useColorScheme } from './theme';
import { useLayersBeforehand } from './useLayers';

const petrol: MantineColorsTuple = [
  '#eaf3f7',
  '#d3e6ef',
  '#a8d8ec',
  '#8ac9e4',
  '#4f9fc0',
  '#2b7a9c',
  '#0b5372',
  '#0a4a66',
  '#083d55',
  '#062f42',
];

const slate: MantineColorsTuple = [
  '#e8edf2',
  '#b6c1cc',
  '#8f9aa6',
  '#7f8c99',
  '#323c48',
  '#2a333e',
  '#222a34',
  '#1a2028',
  '#12171e',
  '#10141a',
];

const theme = createTheme({
  primaryColor: 'petrol',
  colors: { petrol, dark: slate },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  focusRing: 'never',
  respectReducedMotion: true,
  defaultRadius: 'var(--radius-control)',
  components: {
    // Inside <main>, so that dialogs and menus are part of a landmark.
    Portal: { defaultProps: { target: `#${layerId}` } },
  },
});

/** Mantine's variables, pointed at our tokens: one set of values for both. */
const cssVariablesResolver: CSSVariablesResolver = () => {
  const variables = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-secondary)',
    '--mantine-color-placeholder': 'var(--ink-secondary)',
    '--mantine-color-error': 'var(--error)',
    '--mantine-color-anchor': 'var(--accent)',
    '--mantine-color-default-border': 'var(--hairline)',
    '--mantine-color-disabled': 'var(--field-disabled)',
    '--mantine-color-disabled-color': 'var(--ink-disabled)',
    '--mantine-primary-color-filled': 'var(--accent)',
    '--mantine-primary-color-contrast': 'var(--on-accent)',
    '--mantine-font-size-sm': 'var(--text-label)',
    '--mantine-font-size-md': 'var(--text-body)',
  };
  return { variables: {}, light: variables, dark: variables };
};

/** What the kit's dialogs, menus, selects and toasts need around them; signed-out screens do without. */
export function KitProvider({ children }: { children: ReactNode }) {
  useLayersBeforehand();
  useEffect(keepFocus, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={useColorScheme()}
      withGlobalClasses={false}
      // All of them are made here: their file is more to load than the code that is there anyway.
      deduplicateCssVariables={false}
    >
      {children}
      <Toasts />
    </MantineProvider>
  );
}
