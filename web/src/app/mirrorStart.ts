/* The position in the history where mirroring started. */

const mirrorKey = 'wcpp.mirrorAt';

export function setMirrorStart(index: number) {
  sessionStorage.setItem(mirrorKey, String(index));
}

export function isBeforeMirror(index: number): boolean {
  return index < Number(sessionStorage.getItem(mirrorKey) ?? 0);
}
