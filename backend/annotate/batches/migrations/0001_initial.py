import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('codebooks', '0001_initial'),
        ('samples', '0001_initial'),
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Batch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=120)),
                ('kind', models.CharField(choices=[('practice', 'Practice'), ('overlap', 'Overlap'), ('adaptive', 'Adaptive overlap'), ('main', 'Main'), ('recheck', 'Recheck'), ('active', 'Active learning')], max_length=20)),
                ('state', models.CharField(choices=[('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed'), ('discarding', 'Being discarded')], default='open', max_length=20)),
                ('state_before', models.CharField(blank=True, help_text='To which state a batch returns that cannot be discarded.', max_length=20)),
                ('seed', models.BigIntegerField()),
                ('request', models.JSONField(default=dict, help_text='What was asked for when it was opened, word for word.')),
                ('plan_hash', models.CharField(blank=True, help_text='The hash of the plan that was opened: the same plan has the same.', max_length=64)),
                ('due_on', models.DateField(null=True)),
                ('opened_at', models.DateTimeField()),
                ('edition', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='batches', to='codebooks.edition')),
                ('opened_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='batches', to='studies.study')),
            ],
            options={
                'ordering': ['-opened_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('assigned_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('batch', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='batches.batch')),
            ],
            options={
                'ordering': ['batch', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='AssignedItem',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField()),
                ('taken_back_at', models.DateTimeField(null=True)),
                ('is_extra', models.BooleanField(default=False, help_text='Asked because earlier answers to the item left it open.')),
                ('item', models.ForeignKey(on_delete=django.db.models.deletion.RESTRICT, related_name='assigned_items', to='samples.item')),
                ('assignment', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assigned_items', to='batches.assignment')),
            ],
            options={
                'ordering': ['assignment', 'position'],
                'constraints': [models.UniqueConstraint(fields=('assignment', 'item'), name='item_once_per_assignment'), models.UniqueConstraint(fields=('assignment', 'position'), name='position_once_per_assignment')],
            },
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.UniqueConstraint(fields=('study', 'name'), name='batch_name_once'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['practice', 'overlap', 'adaptive', 'main', 'recheck', 'active'])), name='batch_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='batch',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['open', 'paused', 'closed', 'discarding'])), name='batch_state_known'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(fields=('batch', 'annotator'), name='assignment_once_per_batch'),
        ),
    ]
