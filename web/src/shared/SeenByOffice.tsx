import { Chip } from '@/ui/Chip';
import { formatInstant, formatInstantTime } from '@/ui/dates';

/** Whether anybody of an office has looked at what the staff look at. */
export const SeenByOffice = ({ seen }: { seen?: { by: string; at: string } }) =>
  seen ? (
    <Chip kind="success">
      First opened by {seen.by} on {formatInstant(seen.at)}, {formatInstantTime(seen.at)}
    </Chip>
  ) : (
    <Chip kind="neutral">Not opened by the office</Chip>
  );
