/**
 * Ignores the second click of a double click, which would undo the first one or hit the row that
 * moved up.
 */
export const onFirstClick =
  (run: () => void) =>
  ({ detail }: { detail: number }) => {
    if (detail < 2) run();
  };
