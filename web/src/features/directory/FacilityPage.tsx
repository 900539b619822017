import { useMemo, useState } from 'react';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { formatPhone, formatTin } from '@/ui/format';
import type { Column } from '@/ui/table/state';
import type { Visit } from './choice';
import styles from './directory.module.css';
import {
  GeneralInformation,
  Licenses,
  Offers,
  OfficeName,
  Part,
  ProviderPage,
  ViewDetails,
  yesOrNo,
} from './parts';
import { type FacilityLocation, useFacility } from './queries';

/** A facility, hospital or ancillary provider. */
export function FacilityPage({ choice, searchInfo }: Visit) {
  const { record, locations, licenses } = useFacility(choice.prvId);
  const [viewed, setViewed] = useState<FacilityLocation | null>(null);
  const locationColumns = useMemo(() => getLocationColumns(setViewed), []);
  const facility = record.data;
  return (
    <ProviderPage
      title={facility ? `Facility - ${facility.faclFacilityName}` : 'Facility'}
      searchInfo={searchInfo}
      record={record}
      loading="Loading facility..."
      failure="Error loading Facility data."
    >
      {facility && (
        <GeneralInformation
          facts={[
            ['Facility Name', facility.faclFacilityName],
            ['TIN', formatTin(choice.tin)],
            ['NPI', facility.prvNpi ?? ''],
            ['LOB', facility.fLob, 'line of business'],
          ]}
        />
      )}
      <Part
        title="Locations"
        part={locations}
        failure={({ message }) => `Error GETTING THE PROVIDER Facility location ${message}`}
        columns={locationColumns}
        rowId={({ poflOfcId }) => poflOfcId}
        sortBy="name"
      />
      <Licenses part={licenses} />
      {viewed && <LocationDialog location={viewed} onClose={() => setViewed(null)} />}
    </ProviderPage>
  );
}

function LocationDialog({ location, onClose }: { location: FacilityLocation; onClose: () => void }) {
  return (
    <Dialog
      open
      title={`Location: ${location.faclocDirectoryLocName}`}
      size="large"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          CLOSE
        </Button>
      }
    >
      <div className={styles.offers}>
        {listServices(location).map(([title, names]) => (
          <Offers key={title} title={title} names={names} />
        ))}
      </div>
    </Dialog>
  );
}

/** A location's services by kind, without empty kinds. */
const listServices = ({ services, specialties, focuses, languagues }: FacilityLocation) =>
  (
    [
      ['Services', services.map(({ fsrShortDesc }) => fsrShortDesc)],
      ['Specialties', specialties.map(({ specDesc }) => specDesc)],
      ['Focuses', focuses.map(({ focusShortDesc }) => focusShortDesc)],
      ['Languages', languagues.map(({ lngLanguageName }) => lngLanguageName)],
    ] as const
  ).filter(([, names]) => names.length > 0);

const getLocationColumns = (view: (location: FacilityLocation) => void): Column<FacilityLocation>[] => [
  {
    id: 'name',
    header: 'Name',
    value: ({ faclocDirectoryLocName }) => faclocDirectoryLocName,
    cell: ({ faclocDirectoryLocName, flfPrimaryLocationFlag }) => (
      <OfficeName name={faclocDirectoryLocName} primary={flfPrimaryLocationFlag} />
    ),
    wrap: true,
    minWidth: '11rem',
  },
  {
    id: 'address',
    header: 'Address',
    value: ({ addressString }) => addressString,
    wrap: true,
    minWidth: '11rem',
  },
  {
    id: 'phone',
    header: 'Phone',
    value: ({ faclocDirectoryPhoneNbr }) => formatPhone(faclocDirectoryPhoneNbr),
  },
  { id: 'fax', header: 'Fax', value: ({ faclocFaxNbr }) => formatPhone(faclocFaxNbr) },
  { id: 'email', header: 'Email Address', value: ({ faclocEmailAddress }) => faclocEmailAddress },
  {
    id: 'accepting',
    header: 'Accepting New WC?',
    value: ({ flfAcceptWcPatients }) => yesOrNo(flfAcceptWcPatients),
  },
  {
    id: 'details',
    header: 'Additional Information',
    sortable: false,
    filterable: false,
    value: (location) => listServices(location).length,
    cell: (location) =>
      listServices(location).length > 0 && (
        <ViewDetails of={location.faclocDirectoryLocName} onClick={() => view(location)} />
      ),
  },
];
