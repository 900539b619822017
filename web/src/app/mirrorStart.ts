/* The position in the tab's history where mirroring started. */

const key = 'wcpp.mirrorAt';

export const getMirrorStart = () => Number(sessionStorage.getItem(key));

export function setMirrorStart(index: number) {
  sessionStorage.setItem(key, String(index));
}

/**
 * Gives a typed address a position after the start of mirroring. The router would count from 0 in
 * each new document.
 */
export function numberTypedAddress() {
  history.state?.__TSR_key ??
    history.replaceState({ __TSR_index: getMirrorStart(), __TSR_key: `${Math.random()}` }, '');
}
