/**
 * Moves keyboard users past the header. The address doesn't change because it belongs to the
 * router.
 */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link within the page
    <a
      className="skip-link"
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      Skip to main content
    </a>
  );
}
