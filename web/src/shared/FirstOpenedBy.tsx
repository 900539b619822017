import { Chip } from '@/ui/Chip';
import { formatLocalDateTime } from '@/ui/dates';

/** Shows network staff whether anyone in the office has opened this. */
export const FirstOpenedBy = ({ seen }: { seen?: { by: string; at: string } }) =>
  seen ? (
    <Chip kind="success">
      First opened by {seen.by} on {formatLocalDateTime(seen.at)}
    </Chip>
  ) : (
    <Chip kind="neutral">Not opened by the office yet</Chip>
  );
