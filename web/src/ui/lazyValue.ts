/** Makes an expensive value, such as a number or date format, on first use. */
export function lazyValue<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
