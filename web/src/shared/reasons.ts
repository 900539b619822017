import { useQuery } from '@tanstack/react-query';
import { answer, api } from '@/api/client';
import type { components } from '@/api/schema';
import { useSession } from '@/api/session';

/** What the network tells of one code, as plain text. */
export type Reason = components['schemas']['ReasonCode'];
export type ReasonList = Reason['list'];
/** The lists of codes that payers tell: of those of pharmacies, RX, nothing is told. */
export type CodeList = ReasonList | 'RX';

/** The lists, in their order, and what their codes are. */
export const listNames: Record<ReasonList, string> = {
  CAGC: 'Claim adjustment group codes',
  CARC: 'Claim adjustment reason codes (CARC)',
  RARC: 'Remittance remark codes (RARC)',
  PLB: 'Provider-level adjustment codes',
  CLP02: 'Claim status codes',
  HCP13: 'Repricing rejection codes',
  LOCAL: 'State and payer codes',
};

/** What is told of all codes. */
export interface Reasons {
  /** By list and code. */
  all: readonly Reason[];
  /** The text of the jurisdiction where it has one of its own; undefined: no explanation yet. */
  of: (list: CodeList, code: string, jurisdiction?: string) => Reason | undefined;
}

export const reasonsKey = ['reasons'];

const day = 24 * 60 * 60_000;

/** Asked for once in a visit; undefined while it is not known, or where there is no Workspace. */
export function useReasons() {
  const { can } = useSession();
  return useQuery({
    queryKey: reasonsKey,
    queryFn: async ({ signal }) => reasonsOf(await answer(api.GET('/codes', { signal }))),
    structuralSharing: false,
    staleTime: day,
    gcTime: day,
    enabled: can('codes.read'),
  });
}

function reasonsOf(all: readonly Reason[]): Reasons {
  const byCode = new Map(
    all.map((reason) => [`${reason.list} ${reason.code} ${reason.jurisdiction}`, reason]),
  );
  return {
    all,
    of: (list, code, jurisdiction = '') =>
      byCode.get(`${list} ${code} ${jurisdiction}`) ?? byCode.get(`${list} ${code} `),
  };
}

/** Its one sentence: the network's own, or the official text where that is all there is. */
export const sentenceOf = ({ title, official }: Reason) => title || official;
