import { Button } from '@/ui/Button';
import type { ShortColumn } from '@/ui/table/ShortTable';
import styles from './desk.module.css';
import type { Found } from './queries';

/** A user in a list. The username opens the user. */
export const getPersonColumns = (
  onUser: (userName: string) => void,
): ShortColumn<Pick<Found['people'][number], 'userName' | 'name' | 'type' | 'status'>>[] => [
  {
    header: 'User',
    cell: ({ userName }) => (
      <Button variant="link" className={styles.name} onClick={() => onUser(userName)}>
        {userName}
      </Button>
    ),
  },
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Type', cell: ({ type }) => type },
  { header: 'Status', cell: ({ status }) => status },
];
