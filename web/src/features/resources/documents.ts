import { getConfig } from '@/api/config';
import { getResourceUrl } from '@/api/resources';

export const categories = [
  'Notifications',
  'Press Releases',
  'Provider Manuals',
  'Release Notes',
  'Training',
] as const;

/** A document of the network that can be opened. */
export interface ResourceDocument {
  /** Its index in the list. */
  id: string;
  name: string;
  category: string;
  /** The document's name in the guided-tour tool; empty if no tour uses it. */
  walkmeId: string;
  href: string;
}

const maxName = 300;

/** Parses the resource host's list. Skips and counts invalid entries. */
export function readDocuments(list: unknown): { documents: ResourceDocument[]; leftOut: number } {
  if (!Array.isArray(list)) throw new Error('the list of resources is none');
  const documents = list.flatMap((entry, place) => parseDocument(entry, String(place)) ?? []);
  return { documents, leftOut: list.length - documents.length };
}

function parseDocument(entry: unknown, id: string): ResourceDocument | null {
  const { properties, links } = Object(entry);
  const { name, category, walkmeId: tour } = Object(properties);
  const walkmeId = tour ?? '';
  const href = linkTo(Object(Array.isArray(links) ? links[0] : null).href);
  const named = [name, category].every((text) => isText(text) && text.trim() !== '');
  return named && isText(walkmeId) && href
    ? { id, name: name.trim(), category: category.trim(), walkmeId, href }
    : null;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= maxName;

/**
 * Returns a link's target: a path below the resource address, or a web page; null for anything
 * else.
 */
export function linkTo(href: unknown): string | null {
  if (typeof href !== 'string') return null;
  const { resourceAssetPath: asset, resourceContentPath: content } = getConfig();
  const mapped = hasPathPrefix(href, asset) ? content + href.slice(asset.length) : href;
  if (/^\/(?![/\\])/.test(mapped)) return getResourceUrl(mapped);
  const page = URL.parse(mapped);
  return page && /^https?:$/.test(page.protocol) && /^https?:\/\//i.test(mapped) ? page.href : null;
}

const hasPathPrefix = (href: string, start: string) =>
  start !== '' &&
  href.startsWith(start) &&
  (start.endsWith('/') || /^[/?#]?$/.test(href.charAt(start.length)));
