import { useKeptSearch } from '../../api/keptSearch';
import { criteriaSchema } from './criteria';

/** The search for bills of this visit. */
export const useKeptBills = () => useKeptSearch(read, { sort: { id: 'claimant', desc: false } });

function read(kept: unknown) {
  const criteria = criteriaSchema.safeParse(kept);
  return criteria.success ? criteria.data : null;
}
