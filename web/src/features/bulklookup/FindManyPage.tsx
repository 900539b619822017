import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '@/api/session';
import type { User } from '@/api/types';
import { useSearchState } from '@/shared/historyState';
import * as paths from '@/shared/paths';
import { AnnouncementBanner, useAnnouncement } from '@/ui/Announcement';
import { Banner } from '@/ui/Banner';
import { NotPermitted } from '@/ui/PageState';
import { Answers } from './Answers';
import { ChooseColumns } from './ChooseColumns';
import { ClaimResults } from './ClaimResults';
import { type Criteria, read } from './criteria';
import { Files } from './Files';
import { ListInput } from './ListInput';
import { useFindMany, useRunFile } from './queries';

/** Looks up all bills of an office's own list. */
export default function FindManyPage() {
  const { can, actingUser } = useSession();
  return (
    <div className="page">
      <header>
        <h1>Bulk lookup</h1>
        <p className="page-lead">Paste a list or upload a file, and we'll match each line to its bill.</p>
      </header>
      {isStaff(actingUser) && (
        <Banner kind="info">
          <p>
            Bills are looked up by a user's Tax IDs. Mirror a user from{' '}
            <Link to={paths.userSearch}>User Search</Link>.
          </p>
        </Banner>
      )}
      {can('work.find') ? <FindMany /> : <NotPermitted />}
    </div>
  );
}

const isStaff = ({ typeCd }: User) => typeCd === 'IRAD' || typeCd === 'ISAD';

/** First the list, then the column types, then the results. A file's results come as a file. */
function FindMany() {
  const { mirroredUser } = useSession();
  const { search, table, setTable, start, clear } = useSearchState(read, { pageSize: 25 });
  const { criteria: searched = null, run = 0 } = search ?? {};
  const claims = searched && 'claims' in searched ? searched.claims : null;
  const criteria = searched && !('claims' in searched) ? searched : null;
  const answers = useFindMany(criteria);
  const runFile = useRunFile();
  const [text, setText] = useState('');
  const [returned, setReturned] = useState(false);
  const { announcement, announce, clear: clearAnnouncement } = useAnnouncement();

  const enterNewList = () => {
    if (criteria?.list.from === 'paste') setText(criteria.list.text);
    setReturned(true);
    runFile.reset();
    clear();
  };
  const sendToQueue = (criteria: Criteria) =>
    runFile.mutate(criteria, {
      onSuccess: () => {
        const name = criteria.list.from === 'file' ? criteria.list.name : 'your list';
        announce('success', `We're looking up ${name}. Results will appear under Your files.`);
        setText('');
        setReturned(false);
        clear();
      },
    });
  const find = () => {
    if (!criteria) return;
    clearAnnouncement();
    if (criteria.list.from === 'file') sendToQueue(criteria);
    else start({ ...criteria, asked: Date.now() });
  };

  return (
    <>
      <AnnouncementBanner announcement={announcement} />
      {claims ? (
        <ClaimResults
          claims={claims}
          arrived={run > 0}
          table={table}
          onTable={setTable}
          onNewList={enterNewList}
        />
      ) : criteria ? (
        <ChooseColumns
          criteria={criteria}
          arrived={run > 0 && criteria.asked === 0}
          busy={answers.isFetching || runFile.isPending}
          found={answers.data !== undefined}
          failure={runFile.error}
          onChange={(next) => start({ ...next, asked: 0 })}
          onFind={find}
          onNewList={enterNewList}
        />
      ) : (
        <ListInput text={text} onText={setText} returned={returned} onRead={start} />
      )}
      {criteria && criteria.asked > 0 && (
        <Answers
          criteria={criteria}
          run={run}
          answers={answers}
          table={table}
          onTable={setTable}
          onSendAsFile={mirroredUser ? undefined : () => sendToQueue(criteria)}
          sending={runFile.isPending}
        />
      )}
      <Files
        onShow={({ id, fileName }) => {
          clearAnnouncement();
          start({ claims: { id, name: fileName } });
        }}
      />
    </>
  );
}
