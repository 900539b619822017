import { screens as account } from './account';
import { screens as auditlog } from './auditlog';
import { screens as bills } from './bills';
import { screens as cases } from './cases';
import { screens as claims } from './claims';
import { screens as clients } from './clients';
import { screens as deadlines } from './deadlines';
import { screens as directory } from './directory';
import { screens as feeds } from './feeds';
import { screens as feedsQuality } from './feeds-quality';
import { screens as feeschedules } from './feeschedules';
import { screens as groups } from './groups';
import { screens as notifications } from './notifications';
import { screens as desk } from './desk';
import { screens as accessreview } from './accessreview';
import { screens as accesslog } from './accesslog';
import { screens as payercontacts } from './payercontacts';
import { screens as reasoncodes } from './reasoncodes';
import { screens as resources } from './resources';
import { screens as rosters } from './rosters';
import type { ScreenGroup } from './screen';
import { screens as sessions } from './sessions';
import { screens as shell } from './shell';
import { screens as announcements } from './announcements';
import { screens as tins } from './tins';
import { screens as unmatchedpayments } from './unmatchedpayments';
import { screens as users } from './users';
import { screens as usersBulk } from './users-bulk';
import { screens as commandPalette } from './command-palette';
import { screens as billsPage } from './bills-page';
import { screens as deposits } from './deposits';
import { screens as remittances } from './remittances';
import { screens as bulklookup } from './bulklookup';
import { screens as team } from './team';
import { screens as openbills } from './openbills';
import { screens as alerts } from './alerts';

/** Every screen in every state, for the accessibility tests and the screenshots. */
export const screenGroups: ScreenGroup[] = [
  ...sessions,
  ...account,
  ...shell,
  ...announcements,
  ...accessreview,
  ...accesslog,
  ...team,
  ...auditlog,
  ...bills,
  ...claims,
  ...clients,
  ...deadlines,
  ...directory,
  ...feeds,
  ...feedsQuality,
  ...feeschedules,
  ...groups,
  ...notifications,
  ...desk,
  ...payercontacts,
  ...cases,
  ...reasoncodes,
  ...resources,
  ...rosters,
  ...tins,
  ...unmatchedpayments,
  ...users,
  ...usersBulk,
  ...commandPalette,
  ...bulklookup,
  ...billsPage,
  ...deposits,
  ...remittances,
  ...openbills,
  ...alerts,
].map((walk) => [walk].flat());
