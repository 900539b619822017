import { useRef } from 'react';
import type { Problem } from '@/api/client';

export const probablyWorked =
  "An earlier attempt probably worked, but its response was lost. This link can't be used again.";

/** Returns a function that reports whether an earlier attempt, whose response was lost, used the link. */
export function useLostResponse() {
  const lost = useRef(false);
  return ({ status, message }: Problem) => {
    const isUsed = lost.current && message.startsWith('INVALID_TOKEN');
    if (status === 0 || status >= 500) lost.current = true; // 502 and 504 come from proxies
    return isUsed;
  };
}
