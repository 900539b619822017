/** Messages from a framed content page to the portal. */
export type FrameMessage = { type: 'height'; height: number } | { type: 'secureResource'; url: string };

const maxHeight = 20_000;

/** Accepts a message only from exactly this frame and origin, in a known shape. */
export function parseFrameMessage(
  event: Pick<MessageEvent, 'data' | 'origin' | 'source'>,
  frame: { contentWindow: unknown } | null,
  pageUrl: string,
): FrameMessage | null {
  if (!frame?.contentWindow || event.source !== frame.contentWindow) return null;
  if (event.origin !== new URL(pageUrl, window.location.href).origin) return null;
  const { type, height, url } = Object(event.data);
  if (type === 'height' && typeof height === 'number' && height > 0 && height <= maxHeight)
    return { type, height };
  if (type === 'secureResource' && typeof url === 'string') return { type, url };
  return null;
}
