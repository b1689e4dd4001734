import { ReportChartChoices } from '../../choices/extras.ts'
import { boolean, choice, description, ref, stamps, text } from '../../fields/index.ts'
import { relatedFilter } from '../../filters/related.ts'
import { changelogFilters } from '../../filters/shared.ts'
import { behaviour, model } from '../../declare/model.ts'
import { giveMaker } from '../../rules/personal.ts'

/** Letters that the question of a report has at most. */
export const MaxQuestion = 100_000

export const report = model(
  'extras.report',
  {
    name: text({ max: 100 }),
    description,
    user: ref('users.user', { raw: true, nullable: true, onDelete: 'set null' }),
    shared: boolean({ help: 'Other users may use it too; each sees what they may view.', default: true }),
    sql: text({ label: 'SQL', lines: 'code', max: MaxQuestion, filter: false }),
    chart: choice(ReportChartChoices, { nullable: true }),
    chart_x: text({ label: 'Chart: along', blank: true, max: 100, filter: false }),
    chart_y: text({ label: 'Chart: values', blank: true, max: 500, filter: false }),
    ...stamps,
  },
  {
    path: 'extras/reports',
    label: 'report',
    plural: 'reports',
    objectName: 'Report',
    own: true,
    public: false,
    graphql: false,
    display: 'name',
    brief: ['id', 'url', 'display', 'name', 'description'],
    key: ['name'],
    order: ['name'],
    features: ['change_logging', 'cloning'],
    search: { text: ['name', 'description', 'sql'] },
    personal: true,
    filters: { ...changelogFilters, user: relatedFilter('user', 'users.user', { by: 'username' }) },
    initial: [
      {
        name: 'Free units per rack',
        description: 'Units of each rack that no device takes, racks with the least room first.',
        sql: `with used as (
  select d.rack_id, sum(t.u_height) as units
  from devices d join device_types t on t.id = d.device_type_id
  where d.position is not null group by d.rack_id
)
select r.site, r.name as rack, r.u_height as units, cast(r.u_height - coalesce(u.units, 0) as integer) as free
from racks r left join used u on u.rack_id = r.id
order by free, r.site, r.name
limit 100`,
        chart: 'bar',
        chart_x: 'rack',
        chart_y: 'free',
      },
      {
        name: 'Addresses by prefix',
        description: 'Addresses that lie in each prefix, those of its smaller prefixes among them.',
        sql: `select p.prefix, p.vrf, count(a.id) as addresses
from prefixes p left join ip_addresses a
  on a.vrf_id is p.vrf_id and a.address_host between p.prefix_host and p.prefix_last
group by p.id
order by addresses desc, p.prefix_host
limit 50`,
        chart: 'bar',
        chart_x: 'prefix',
        chart_y: 'addresses',
      },
      {
        name: 'Devices by role',
        description: 'How many devices there are of each role.',
        sql: `select role, count(*) as devices from devices group by role order by devices desc`,
        chart: 'share',
        chart_x: 'role',
        chart_y: 'devices',
      },
    ],
    pages: {
      help: {
        sql: 'One SELECT over tables as devices, racks, ip_addresses; the list below has all.',
        chart_x: 'A column; the first where none is named.',
        chart_y: 'Columns with commas between them; the first with numbers where none is named.',
      },
      columns: 'name description chart user shared last_updated',
      filters: { Attributes: 'chart shared' },
      form: { Report: 'name description shared sql', Chart: 'chart chart_x chart_y' },
      bulk: 'description shared',
      panels: { Report: 'name description user shared chart chart_x chart_y', SQL: 'sql' },
      tabs: { results: true },
    },
  },
)

behaviour(report, {
  prepare: (event) => {
    if (!event.before && !('user' in event.given)) event.row.user_id = event.tools.user.id
    else giveMaker(event)
  },
})
