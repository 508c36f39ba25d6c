import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('studies', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=100)),
                ('kind', models.CharField(choices=[('info', 'For your information'), ('good', 'Good news'), ('warn', 'Worth a look'), ('error', 'Something went wrong')], max_length=10)),
                ('text', models.CharField(max_length=600)),
                ('url', models.CharField(blank=True, help_text='A page of ours, without the host.', max_length=300)),
                ('created_at', models.DateTimeField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='studies.study')),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='NoticeReading',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('read_at', models.DateTimeField()),
                ('notice', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='readings', to='notices.notice')),
                ('reader', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['study', '-created_at'], name='notice_by_study'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('study', 'key'), name='notice_told_once'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['info', 'good', 'warn', 'error'])), name='notice_kind_known'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.CheckConstraint(condition=models.Q(('url', ''), ('url__startswith', '/'), _connector='OR'), name='notice_leads_to_our_pages'),
        ),
        migrations.AddConstraint(
            model_name='noticereading',
            constraint=models.UniqueConstraint(fields=('notice', 'reader'), name='notice_read_once'),
        ),
    ]
