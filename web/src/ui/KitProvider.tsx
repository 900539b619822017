import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { startFocusRestore } from './focusRestore';
import './display.css';
import './fingers.css';
import { layerId } from './Layer';
import { Toasts } from './Toasts';
import { useColorScheme } from './theme';
import { usePreloadLayers } from './useLayers';

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
    // Inside <main>, so that dialogs and menus are inside a landmark.
    Portal: { defaultProps: { target: `#${layerId}` } },
  },
});

/** Maps Mantine's variables to our tokens, so that both use one set of values. */
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

/**
 * The context for the kit's dialogs, menus, selects and toasts. Signed-out screens don't use it.
 */
export function KitProvider({ children }: { children: ReactNode }) {
  usePreloadLayers();
  useEffect(startFocusRestore, []);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      forceColorScheme={useColorScheme()}
      withGlobalClasses={false}
      // This code creates them all. A file of them would be a larger download than the code,
      // which loads anyway.
      deduplicateCssVariables={false}
    >
      {children}
      <Toasts />
    </MantineProvider>
  );
}
