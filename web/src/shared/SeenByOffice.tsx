import { Chip } from '@/ui/Chip';
import { formatInstantMoment } from '@/ui/dates';

/** Whether anybody of an office has looked at what the staff look at. */
export const SeenByOffice = ({ seen }: { seen?: { by: string; at: string } }) =>
  seen ? (
    <Chip kind="success">
      First opened by {seen.by} on {formatInstantMoment(seen.at)}
    </Chip>
  ) : (
    <Chip kind="neutral">Not opened by the office</Chip>
  );
