import { screens as account } from './account';
import { screens as auditlog } from './auditlog';
import { screens as bills } from './bills';
import { screens as claims } from './claims';
import { screens as clients } from './clients';
import { screens as deadlines } from './deadlines';
import { screens as directory } from './directory';
import { screens as feeds } from './feeds';
import { screens as quality } from './quality';
import { screens as feeschedules } from './feeschedules';
import { screens as groups } from './groups';
import { screens as notifications } from './notifications';
import { screens as desk } from './desk';
import { screens as reviews } from './reviews';
import { screens as visits } from './visits';
import { screens as reasons } from './reasons';
import { screens as resources } from './resources';
import { screens as rosters } from './rosters';
import type { ScreenGroup } from './screen';
import { screens as sessions } from './sessions';
import { screens as shell } from './shell';
import { screens as status } from './status';
import { screens as tins } from './tins';
import { screens as unmatched } from './unmatched';
import { screens as users } from './users';
import { screens as usersMany } from './users-many';
import { screens as workFind } from './work-find';
import { screens as workBill } from './work-bill';
import { screens as workRemittances } from './work-remittances';
import { screens as workFindMany } from './work-find-many';
import { screens as workOpenBills } from './work-open-bills';
import { screens as workToday } from './work-today';

/** Every screen in every state, for the accessibility tests and the screenshots. */
export const screenGroups: ScreenGroup[] = [
  ...sessions,
  ...account,
  ...shell,
  ...status,
  ...reviews,
  ...visits,
  ...auditlog,
  ...bills,
  ...claims,
  ...clients,
  ...deadlines,
  ...directory,
  ...feeds,
  ...quality,
  ...feeschedules,
  ...groups,
  ...notifications,
  ...desk,
  ...reasons,
  ...resources,
  ...rosters,
  ...tins,
  ...unmatched,
  ...users,
  ...usersMany,
  ...workFind,
  ...workFindMany,
  ...workBill,
  ...workRemittances,
  ...workOpenBills,
  ...workToday,
].map((walk) => [walk].flat());
