/* Where in the history the person began to act for another. */

const mirrorKey = 'wcpp.mirrorAt';

export function rememberMirror(index: number) {
  sessionStorage.setItem(mirrorKey, String(index));
}

export function isBeforeMirror(index: number): boolean {
  return index < Number(sessionStorage.getItem(mirrorKey) ?? 0);
}
