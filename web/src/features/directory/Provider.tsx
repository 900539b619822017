import type { Visit } from './choice';
import { FacilityPage } from './FacilityPage';
import { PhysicianPage } from './PhysicianPage';

/** A provider's directory record. */
export function Provider(visit: Visit) {
  const Page = visit.choice.prvProviderType === 'P' ? PhysicianPage : FacilityPage;
  return <Page {...visit} />;
}
