import { Chip } from '@/ui/Chip';
import { formatMoment } from '@/ui/dates';

/** Whether anybody of an office has looked at what the staff look at. */
export const SeenByOffice = ({ seen }: { seen?: { by: string; at: string } }) =>
  seen ? (
    <Chip kind="success">
      First opened by {seen.by} on {formatMoment(seen.at)}
    </Chip>
  ) : (
    <Chip kind="neutral">Not opened by the office yet</Chip>
  );
